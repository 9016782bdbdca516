package dev.hearth.statusapi.internal;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.monitor.MonitorSettings;
import dev.hearth.spi.monitor.MonitoringProxy;
import dev.hearth.spi.monitor.MonitoringProxy.Publication;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a monitoring port for each application whose settings enable it. The port serves all HTTP handlers of the
 * process, and closes when the application ends. If the cluster of the application has a proxy, it decides who is served.
 */
@Component(service = EventSubscriber.class)
public final class ApplicationPortOpener implements EventSubscriber {
    private static final Logger ADDRESS = LoggerFactory.getLogger(MonitorSettings.ADDRESS_LOGGER);

    private final RpcEnvFactory envs;
    private final List<MonitoringProxy> proxies = new CopyOnWriteArrayList<>();

    @Activate
    public ApplicationPortOpener(@Reference RpcEnvFactory envs) {
        this.envs = envs;
    }

    @Override
    public Optional<ApplicationListener> subscribe(String application, String name, Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        boolean enabled = in.read(MonitorSettings.UI_ENABLED);
        in.finish();
        return enabled ? Optional.of(open(application, name, settings)) : Optional.empty();
    }

    private ApplicationListener open(String application, String name, Settings settings) {
        PortSettings read = PortSettings.from(settings);
        Optional<String> bindAddress =
                settings.find(RpcSettings.BIND_ADDRESS.name()).filter(address -> !address.isBlank());
        RpcSettings port = RpcSettings.listening(settings, read.listen(bindAddress));
        Optional<Publication> publication = proxies.stream()
                .flatMap(proxy -> proxy.publication(application).stream())
                .findFirst();
        RpcEnv env = envs.open(publication.map(way -> port.behind(way.gate())).orElse(port));
        env.address().ifPresent(address -> {
            String url = publication.map(way -> way.opened(address)).orElse("http://" + address);
            ADDRESS.info(
                    "application {} ({}): monitoring API at {}/api/v1/applications/{}; a shell may connect to {}",
                    application,
                    name,
                    url,
                    application,
                    address);
        });
        return new OpenPort(env, publication);
    }

    /** Adds the proxy of a cluster, whose bundle may start later than this one. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    public void addProxy(MonitoringProxy proxy) {
        proxies.add(proxy);
    }

    /** Forgets a proxy whose bundle stops. */
    public void removeProxy(MonitoringProxy proxy) {
        proxies.remove(proxy);
    }

    /**
     * Listener that closes the monitoring port {@code env} when it is closed itself, which the engine does at the end
     * of the application. Ignores all events.
     */
    private record OpenPort(RpcEnv env, Optional<Publication> publication)
            implements ApplicationListener, AutoCloseable {
        @Override
        public void on(ApplicationEvent event) {}

        @Override
        public boolean hearsTasks() {
            return false;
        }

        @Override
        public void close() {
            publication.ifPresent(way -> env.address().ifPresent(way::closed));
            env.close();
        }
    }
}
