package dev.hearth.kernel.dropped;

import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Activator whose start fails. */
public final class FailingActivator implements BundleActivator {
    @Override
    public void start(BundleContext context) {
        throw new IllegalStateException("broken on purpose");
    }

    @Override
    public void stop(BundleContext context) {
        // it never started
    }
}
