def meh: "bah";
