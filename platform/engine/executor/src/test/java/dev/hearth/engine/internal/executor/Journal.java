package dev.hearth.engine.internal.executor;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Lists by name, to which functions of tests add without capturing them. */
public final class Journal {
    private static final Map<String, List<String>> LISTS = new ConcurrentHashMap<>();

    private Journal() {}

    public static List<String> of(String name) {
        return LISTS.computeIfAbsent(name, missing -> new CopyOnWriteArrayList<>());
    }
}
