package dev.hearth.yarn.internal.pages;

import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.monitor.MonitoringProxy;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.time.Ticker;
import dev.hearth.yarn.internal.backend.YarnApplication;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/**
 * Publication of the applications of this process on YARN. Several contexts of one application share its tracking URL,
 * which leads to the port that was opened last of those that are open. Guarded by its own lock.
 */
@Component(service = {MonitoringProxy.class, YarnProxy.class})
public final class YarnProxy implements MonitoringProxy {
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor lookups;
    private final Ticker ticker;
    private final Map<String, Published> applications = new LinkedHashMap<>();

    @Activate
    public YarnProxy() {
        this(YarnProxy::thread, Ticker.system());
    }

    /** A thread that retains nothing of the application whose thread asks for it. */
    static Thread thread(Runnable action) {
        Thread thread = new Thread(null, action, "hearth-yarn-proxy", 0, false);
        thread.setContextClassLoader(YarnProxy.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }

    YarnProxy(ThreadFactory threads, Ticker ticker) {
        this.lookups =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        this.lookups.allowCoreThreadTimeOut(true);
        this.ticker = ticker;
    }

    /** Publishes {@code application} until its end; {@code bases} finds the bases of the proxies and may block. */
    public void add(YarnApplication application, Supplier<List<String>> bases) {
        String id = application.id();
        ProxyGate gate = new ProxyGate(now -> ProxyLookup.of(bases.get()).look(now), lookups, ticker);
        synchronized (this) {
            applications.put(id, new Published(application, gate));
        }
        application.over().thenRun(() -> remove(id));
    }

    private synchronized void remove(String id) {
        applications.remove(id);
    }

    @Override
    public synchronized Optional<Publication> publication(String application) {
        return applications.values().stream()
                .filter(published -> published.application.isContext(application))
                .<Publication>map(published -> published)
                .findFirst();
    }

    @Deactivate
    public void close() {
        lookups.shutdown();
    }

    /** Publication of one application. Guarded by its own lock. */
    private static final class Published implements Publication {
        private final YarnApplication application;
        private final ProxyGate gate;
        private final List<RpcAddress> ports = new ArrayList<>();

        Published(YarnApplication application, ProxyGate gate) {
            this.application = application;
            this.gate = gate;
        }

        @Override
        public HttpGate gate() {
            return gate;
        }

        @Override
        public String opened(RpcAddress address) {
            synchronized (ports) {
                ports.add(address);
            }
            gate.open().thenRun(this::track); // clients that the proxy sends earlier would be refused
            return url(address);
        }

        @Override
        public void closed(RpcAddress address) {
            boolean isLast;
            synchronized (ports) {
                ports.remove(address);
                isLast = ports.isEmpty();
            }
            if (!isLast) {
                track();
            }
        }

        private void track() {
            RpcAddress last;
            synchronized (ports) {
                if (ports.isEmpty()) {
                    return;
                }
                last = ports.get(ports.size() - 1);
            }
            application.trackingUrl(url(last));
        }

        private static String url(RpcAddress address) {
            return "http://" + address;
        }
    }
}
