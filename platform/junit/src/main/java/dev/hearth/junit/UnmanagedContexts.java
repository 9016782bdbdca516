package dev.hearth.junit;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextHolder;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.embedded.EmbeddedContexts;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Open contexts that tests have opened themselves, without the extension. Any thread may call. */
final class UnmanagedContexts {
    private static final Set<HearthContext> MANAGED = ConcurrentHashMap.newKeySet();

    private UnmanagedContexts() {}

    /** Marks {@code context} as managed by the extension. */
    static void manage(HearthContext context) {
        MANAGED.add(context);
    }

    static void release(HearthContext context) {
        MANAGED.remove(context);
    }

    /** Unmanaged open contexts of the calling thread. */
    static List<HearthContext> ofThisThread() {
        ContextProvider provider = ContextHolder.provider();
        return provider instanceof EmbeddedContexts embedded
                ? embedded.openedBy(Thread.currentThread()).stream()
                        .filter(context -> !MANAGED.contains(context))
                        .toList()
                : List.of();
    }
}
