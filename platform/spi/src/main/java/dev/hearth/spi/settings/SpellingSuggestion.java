package dev.hearth.spi.settings;

import java.util.Collection;
import java.util.Optional;

/** Finds the known name that is most similar to a misspelt one. Stateless. */
public final class SpellingSuggestion {
    /** Maximum edit distance between a misspelt name and the name suggested for it. */
    private static final int DISTANCE_MAX = 4;

    private SpellingSuggestion() {}

    /** The one of {@code names} that is most similar to {@code text}; empty if none is similar enough. */
    public static Optional<String> nearest(String text, Collection<String> names) {
        return nearest(text, names, DISTANCE_MAX);
    }

    /** As {@link #nearest(String, Collection)}, for names with an edit distance of at most {@code distanceMax}. */
    static Optional<String> nearest(String text, Collection<String> names, int distanceMax) {
        Optional<String> nearest = Optional.empty();
        int least = distanceMax + 1;
        for (String name : names) {
            if (Math.abs(name.length() - text.length()) < least) {
                int distance = distance(text, name);
                if (distance < least && distance < name.length() / 2) {
                    least = distance;
                    nearest = Optional.of(name);
                }
            }
        }
        return nearest;
    }

    /** Edit distance: the least number of letters to add, remove or replace that turns {@code from} into {@code to}. */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            above[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] here = new int[to.length() + 1];
            here[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = above[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                here[column] = Math.min(replaced, 1 + Math.min(above[column], here[column - 1]));
            }
            above = here;
        }
        return above[to.length()];
    }
}
