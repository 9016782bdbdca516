package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.inventory.ComponentReferences;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;

/**
 * The bundles that use a bundle's services and could not go on without them. A component that takes a service dynamically
 * gets the next one when it leaves, so it is not counted. Owned by the deployer's loop.
 */
final class ServiceUsers {
    private final Map<Long, ComponentReferences> byBundle = new LinkedHashMap<>(); // what bundles declare never changes

    /** Those that use services of {@code bundle}. */
    Set<Bundle> of(Bundle bundle) {
        Set<Bundle> users = new LinkedHashSet<>();
        ServiceReference<?>[] services = bundle.getRegisteredServices();
        for (ServiceReference<?> service : services == null ? new ServiceReference<?>[0] : services) {
            Bundle[] using = service.getUsingBundles();
            for (Bundle user : using == null ? new Bundle[0] : using) {
                String[] types = (String[]) service.getProperty(Constants.OBJECTCLASS);
                if (user.getBundleId() != Constants.SYSTEM_BUNDLE_ID
                        && !user.equals(bundle)
                        && !references(user).areDynamic(List.of(types))) {
                    users.add(user);
                }
            }
        }
        return users;
    }

    /** Those, and those that use their services, and so on. */
    Set<Bundle> closure(Bundle bundle) {
        Set<Bundle> all = new LinkedHashSet<>();
        Deque<Bundle> waiting = new ArrayDeque<>(of(bundle));
        for (Bundle user = waiting.poll(); user != null; user = waiting.poll()) {
            if (all.add(user)) {
                waiting.addAll(of(user));
            }
        }
        return all;
    }

    private ComponentReferences references(Bundle bundle) {
        return byBundle.computeIfAbsent(bundle.getBundleId(), id -> ComponentReferences.of(bundle));
    }
}
