// The parts of the module `vscode` that the tests need: it exists only in the editor.

interface Position {
  line: number;
  character: number;
}

/** The simulated actions of the user, and the messages shown. */
export const user = {
  uri: undefined as string | undefined,
  at: { line: 0, character: 0 } as Position,
  picks: undefined as string | undefined,
  types: undefined as string | undefined,
  clipboard: '',
  shown: [] as string[],
};

export const window = {
  get activeTextEditor() {
    return user.uri && { document: { uri: { toString: () => user.uri } }, selection: { active: user.at } };
  },
  showQuickPick: async (items: { notation: string }[]) => items.find((item) => item.notation === user.picks),
  showInputBox: async () => user.types,
  showInformationMessage: async (message: string) => void user.shown.push(message),
  setStatusBarMessage: (message: string) => void user.shown.push(message),
};

export const env = {
  clipboard: { writeText: async (text: string) => void (user.clipboard = text) },
};
