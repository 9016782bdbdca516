package dev.hearth.kernel.internal.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Kind of start for which an archive of classes is written: that of one role, or of all, with masters of {@code scheme}.
 * Written {@code SCHEME} or {@code ROLE:SCHEME}. Immutable.
 */
record ArchivedStart(Optional<String> role, String scheme) {
    /** Reads a list with commas. */
    static List<ArchivedStart> parse(String list) {
        List<ArchivedStart> starts = new ArrayList<>();
        for (String word : list.split(",", -1)) {
            int colon = word.indexOf(':');
            if (colon >= 0) {
                starts.add(new ArchivedStart(Optional.of(word.substring(0, colon)), word.substring(colon + 1)));
            } else if (!word.isEmpty()) {
                starts.add(new ArchivedStart(Optional.empty(), word));
            }
        }
        return starts;
    }

    /** Whether it is a start of {@code name}, the property of a role. */
    boolean isOf(Object name) {
        return role.isEmpty() || role.get().equals(name);
    }
}
