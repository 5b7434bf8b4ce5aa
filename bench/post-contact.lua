wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept"] = "application/json"
wrk.body = '{"name":"Ana Example","email":"ana@example.org","phone":"","service":"Web Development","message":"A message of the length that people write: we need a new shop, by spring, and someone who keeps it running."}'
