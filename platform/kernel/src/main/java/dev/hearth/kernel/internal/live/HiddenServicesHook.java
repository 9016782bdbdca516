package dev.hearth.kernel.internal.live;

import java.util.Collection;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.hooks.service.EventListenerHook;
import org.osgi.framework.hooks.service.FindHook;
import org.osgi.framework.hooks.service.ListenerHook.ListenerInfo;

/**
 * Hides the services of bundles that are to be stopped ({@link BundleUsage#hide}) from all other bundles. Bundles that
 * already use such a service are still notified when it is unregistered. Stateless; registered when the first bundle is
 * hidden.
 */
public final class HiddenServicesHook implements FindHook, EventListenerHook {
    private final BundleUsageRegistry uses;

    public HiddenServicesHook(BundleUsageRegistry uses) {
        this.uses = uses;
    }

    @Override
    public void find(
            BundleContext seeker, String type, String filter, boolean all, Collection<ServiceReference<?>> found) {
        Bundle asking = seeker.getBundle();
        found.removeIf(reference -> {
            Bundle owner = reference.getBundle();
            return owner != null && !owner.equals(asking) && uses.isHidden(owner);
        });
    }

    @Override
    public void event(ServiceEvent event, Map<BundleContext, Collection<ListenerInfo>> listeners) {
        boolean invites = event.getType() == ServiceEvent.REGISTERED || event.getType() == ServiceEvent.MODIFIED;
        Bundle owner = event.getServiceReference().getBundle();
        if (invites && owner != null && uses.isHidden(owner)) {
            listeners.keySet().removeIf(listener -> !owner.equals(listener.getBundle()));
        }
    }
}
