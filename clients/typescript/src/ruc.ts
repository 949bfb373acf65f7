const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** Whether the text is 11 digits with a known prefix and the right check digit. It says nothing about existence. */
export function isValidRuc(ruc: string): boolean {
  if (!/^(10|15|16|17|20)[0-9]{9}$/.test(ruc)) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(ruc[index]), 0);
  return (11 - (sum % 11)) % 10 === Number(ruc[10]);
}
