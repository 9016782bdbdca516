package dev.hearth.statusapi.internal;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.monitor.MonitorSettings;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a monitoring port for each application whose settings enable it. The port serves all HTTP handlers of the
 * process, and closes when the application ends.
 */
@Component(service = EventSubscriber.class)
public final class ApplicationPortOpener implements EventSubscriber {
    private static final Logger ADDRESS = LoggerFactory.getLogger(MonitorSettings.ADDRESS_LOGGER);

    private final RpcEnvFactory envs;

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
        RpcEnv env = envs.open(RpcSettings.listening(settings, read.listen(bindAddress)));
        env.address()
                .ifPresent(address -> ADDRESS.info(
                        "application {} ({}): monitoring API at http://{}/api/v1/applications/{}, where a shell may"
                                + " connect, too",
                        application,
                        name,
                        address,
                        application));
        return new OpenPort(env);
    }

    /**
     * Listener that closes the monitoring port {@code env} when it is closed itself, which the engine does at the end
     * of the application. Ignores all events.
     */
    private record OpenPort(RpcEnv env) implements ApplicationListener, AutoCloseable {
        @Override
        public void on(ApplicationEvent event) {}

        @Override
        public boolean hearsTasks() {
            return false;
        }

        @Override
        public void close() {
            env.close();
        }
    }
}
