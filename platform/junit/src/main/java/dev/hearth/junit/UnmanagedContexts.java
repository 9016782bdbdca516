package dev.hearth.junit;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextHolder;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.embedded.EmbeddedContexts;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds open contexts that tests have opened themselves instead of getting them from {@link HearthExtension}.
 * Thread-safe.
 */
final class UnmanagedContexts {
    private static final Set<HearthContext> MANAGED = ConcurrentHashMap.newKeySet();

    private UnmanagedContexts() {}

    /**
     * Marks {@code context} as opened by {@link HearthExtension}, which also closes it, so that it does not count as
     * leaked.
     */
    static void manage(HearthContext context) {
        MANAGED.add(context);
    }

    static void release(HearthContext context) {
        MANAGED.remove(context);
    }

    /**
     * The open contexts that the calling thread has opened, without those that {@link HearthExtension} opened on it.
     */
    static List<HearthContext> ofThisThread() {
        ContextProvider provider = ContextHolder.provider();
        return provider instanceof EmbeddedContexts embedded
                ? embedded.openedBy(Thread.currentThread()).stream()
                        .filter(context -> !MANAGED.contains(context))
                        .toList()
                : List.of();
    }
}
