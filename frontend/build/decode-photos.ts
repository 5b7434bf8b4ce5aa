import sharp from 'sharp';

// Program: decodes the photos of its arguments, and prints the path of each that is damaged.
for (const file of process.argv.slice(2)) {
  const isWhole = await sharp(file)
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );
  if (!isWhole) process.stdout.write(`${file}\n`);
}
