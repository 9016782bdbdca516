package dev.hearth.yarn.internal.line;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Notice that the ResourceManager takes containers back: those in {@code strict} for certain, of those in {@code
 * negotiable} as many as it needs. A notice may be repeated, and none is withdrawn. Immutable.
 */
public record PreemptionNotice(Set<String> strict, Set<String> negotiable) {
    public static final PreemptionNotice NONE = new PreemptionNotice(Set.of(), Set.of());

    public PreemptionNotice {
        strict = Collections.unmodifiableSet(new LinkedHashSet<>(strict));
        negotiable = Collections.unmodifiableSet(new LinkedHashSet<>(negotiable));
    }
}
