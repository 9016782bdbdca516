package dev.hearth.yarn.internal.hadoop;

/** Bounds the diagnostics of an application: the ResourceManager keeps 64 k characters of all attempts. Pure. */
public final class FinalWords {
    /** Maximum number of characters. */
    public static final int CHARACTERS_MAX = 32 * 1024;

    private static final String GAP = "\n[...]\n";

    private FinalWords() {}

    /** Shortens {@code words} to {@code most} characters: the beginning and the end stay. */
    public static String cut(String words, int most) {
        if (words.length() <= most) {
            return words;
        }
        int head = (most - GAP.length()) / 2;
        int tail = most - GAP.length() - head;
        return words.substring(0, head) + GAP + words.substring(words.length() - tail);
    }
}
