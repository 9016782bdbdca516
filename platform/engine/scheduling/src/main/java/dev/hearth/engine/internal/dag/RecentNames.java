package dev.hearth.engine.internal.dag;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Bounded set of the most recently added names. Beyond the bound, the oldest names are dropped. Used, for example, to
 * recognise late messages of lost executors. Not thread-safe.
 */
public final class RecentNames {
    private final int namesMax;
    private final Set<String> names = new LinkedHashSet<>();

    public RecentNames(int namesMax) {
        this.namesMax = namesMax;
    }

    public void add(String name) {
        names.remove(name);
        names.add(name);
        if (names.size() > namesMax) {
            names.remove(names.iterator().next());
        }
    }

    public void remove(String name) {
        names.remove(name);
    }

    public boolean contains(String name) {
        return names.contains(name);
    }
}
