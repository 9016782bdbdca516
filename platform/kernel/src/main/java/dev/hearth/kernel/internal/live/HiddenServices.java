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
 * Keeps the services of hidden bundles from being found, by all but the bundle itself. That they leave is still told, to
 * those who knew them. Holds no state of its own; registered once the first bundle is hidden.
 */
public final class HiddenServices implements FindHook, EventListenerHook {
    private final Uses uses;

    public HiddenServices(Uses uses) {
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
