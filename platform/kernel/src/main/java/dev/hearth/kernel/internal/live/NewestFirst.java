package dev.hearth.kernel.internal.live;

import java.util.Comparator;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;

/**
 * Order of preference among services of one type: highest bundle version first, then highest service ranking, then the
 * oldest service.
 */
public final class NewestFirst {
    private static final Comparator<ServiceReference<?>> ORDER = Comparator.comparing(NewestFirst::version)
            .thenComparing(Comparator.naturalOrder())
            .reversed();

    private NewestFirst() {}

    public static Comparator<ServiceReference<?>> order() {
        return ORDER;
    }

    private static Version version(ServiceReference<?> reference) {
        Bundle bundle = reference.getBundle(); // null: unregistered
        return bundle == null ? Version.emptyVersion : bundle.getVersion();
    }
}
