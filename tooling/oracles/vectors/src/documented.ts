/** The documented results of implementations that are not run here. */
import type { VectorFile } from '../../../../packages/vectors/src/index.js';
import type { Confirmation } from './confirmation.js';

export const documented: VectorFile['implementations'] = {
  '.NET Core 2': 'Not run: dotnet/docs#13547, dotnet/corefx#36163 and dotnet/coreclr#27110 say so',
  '.NET Core 3.0': 'Not run: dotnet/docs#13547 and dotnet/coreclr#27110 say so',
};

const old = (id: string, text: string): Confirmation => ({
  by: '.NET Core 2',
  variant: 'utf-8',
  id,
  confirms: [],
  differs: [{ by: '.NET Core 2', on: 'maximalSubparts', does: `returns ${text}` }],
});

const current = (id: string): Confirmation => ({
  by: '.NET Core 3.0',
  variant: 'utf-8',
  id,
  confirms: ['maximalSubparts'],
  differs: [],
});

export const documentedConfirmations: readonly Confirmation[] = [
  old('surrogate/dotnet', 'FFFD FFFD'),
  current('surrogate/dotnet'),
  old('surrogate/dotnet-in-text', '0061 0062 0063 FFFD FFFD 0078 0079 007A'),
  old('subpart/dotnet-f0-8e', 'FFFD'),
  current('subpart/dotnet-f0-8e'),
];
