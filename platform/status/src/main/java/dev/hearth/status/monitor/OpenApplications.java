package dev.hearth.status.monitor;

import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Component;

/** Registry of the applications that run in this process; each driver adds its application. Any thread may call. */
@Component(service = {RunningApplications.class, OpenApplications.class})
public final class OpenApplications implements RunningApplications {
    private final List<RunningApplication> open = new CopyOnWriteArrayList<>();

    /** Adds {@code application} to this registry. It stays there until the returned registration is closed. */
    public Registration open(RunningApplication application) {
        open.add(application);
        return () -> open.remove(application);
    }

    @Override
    public List<RunningApplication> running() {
        return List.copyOf(open);
    }

    /**
     * Registration of one open application. Closing the registration removes the application from
     * {@link OpenApplications}.
     */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
