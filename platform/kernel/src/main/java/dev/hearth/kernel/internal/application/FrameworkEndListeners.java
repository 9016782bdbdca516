package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.application.ApplicationEndCalls.Listener;
import dev.hearth.kernel.internal.live.BundleUsage.Hold;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.spi.application.ApplicationEnd;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/**
 * Services {@link ApplicationEnd} of all bundles, also of those that are replaced and still have users. A bundle is not
 * stopped during the call of its service. Thread-safe; lives as long as the OSGi framework.
 */
public record FrameworkEndListeners(BundleContext context, BundleUsageRegistry uses)
        implements Supplier<List<Listener>> {
    @Override
    public List<Listener> get() {
        List<Listener> listeners = new ArrayList<>();
        for (ServiceReference<ApplicationEnd> reference : references()) {
            Bundle owner = reference.getBundle();
            Optional<Hold> hold = owner == null // null: unregistered meanwhile
                    ? Optional.empty()
                    : uses.of(owner).take("the end of an application");
            if (owner != null && hold.isPresent()) {
                ApplicationEnd service = context.getService(reference);
                if (service == null) { // its component failed, which the log says
                    hold.get().close();
                } else {
                    String name = owner.getSymbolicName() + " " + owner.getVersion();
                    listeners.add(new Listener(name, service, () -> {
                        context.ungetService(reference);
                        hold.get().close();
                    }));
                }
            }
        }
        return listeners;
    }

    private Collection<ServiceReference<ApplicationEnd>> references() {
        try {
            return context.getServiceReferences(ApplicationEnd.class, null);
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException(impossible); // impossible, because no filter was given
        }
    }
}
