package dev.hearth.kernel.dropped;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Activator that starts when the test opens the latch that it registered. */
public final class HangingActivator implements BundleActivator {
    @Override
    public void start(BundleContext context) throws InterruptedException {
        CountDownLatch latch = context.getService(
                Objects.requireNonNull(context.getServiceReference(CountDownLatch.class), "the latch of the test"));
        latch.await();
    }

    @Override
    public void stop(BundleContext context) {
        // nothing to stop
    }
}
