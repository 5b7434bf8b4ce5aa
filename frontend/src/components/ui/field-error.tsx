/** Error message of a field. */
export const FieldError = ({ id, children }: { id: string; children: string }) => (
  <p className="text-sm font-medium text-error" id={id}>
    {children}
  </p>
);
