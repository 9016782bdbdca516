package dev.hearth.kubernetes.internal.client;

import java.util.HashMap;
import java.util.Map;

/**
 * The last value of each field, so that objects with the same value share one text. Used by one thread; the number of its
 * fields is bounded by {@link #FIELDS_MAX}.
 */
final class RepeatedWords {
    private static final int FIELDS_MAX = 1_000;

    private final Map<String, String> last = new HashMap<>(); // asked, never iterated

    /** The text of these characters, which is the value of {@code field}. */
    String word(String field, char[] characters, int offset, int length) {
        String before = last.get(field);
        if (before != null && isSame(before, characters, offset, length)) {
            return before;
        }
        String text = new String(characters, offset, length);
        if (before != null || last.size() < FIELDS_MAX) {
            last.put(field, text);
        }
        return text;
    }

    private static boolean isSame(String text, char[] characters, int offset, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = length - 1; i >= 0; i--) { // numbers differ at their ends
            if (text.charAt(i) != characters[offset + i]) {
                return false;
            }
        }
        return true;
    }
}
