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
 * Finds the bundles that use OSGi services of a given bundle. A bundle that uses a service through a component with a
 * dynamic reference does not count, because the component can switch to another provider. Owned by the deployer's event
 * loop.
 */
final class ServiceUsers {
    /**
     * Service references that components declare, by bundle id. They are cached, because the declarations of a bundle
     * never change.
     */
    private final Map<Long, ComponentReferences> byBundle = new LinkedHashMap<>();

    /**
     * Returns the bundles that use OSGi services of {@code bundle}, except those that can switch to another provider at
     * run time.
     */
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

    /**
     * Returns the bundles that use OSGi services of {@code bundle}, directly or through services of other bundles that
     * use them.
     */
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
