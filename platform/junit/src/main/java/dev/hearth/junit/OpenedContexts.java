package dev.hearth.junit;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextHolder;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.embedded.EmbeddedContexts;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open contexts of this process that tests, and not the extension, have opened. Any thread may ask. */
final class OpenedContexts {
    private static final Set<HearthContext> GIVEN = ConcurrentHashMap.newKeySet();

    private OpenedContexts() {}

    /** {@code context} belongs to the extension. */
    static void give(HearthContext context) {
        GIVEN.add(context);
    }

    static void takeBack(HearthContext context) {
        GIVEN.remove(context);
    }

    /** What the calling thread has opened and nobody has closed. */
    static List<HearthContext> ofThisThread() {
        ContextProvider provider = ContextHolder.provider();
        return provider instanceof EmbeddedContexts embedded
                ? embedded.openedBy(Thread.currentThread()).stream()
                        .filter(context -> !GIVEN.contains(context))
                        .toList()
                : List.of();
    }
}
