package dev.hearth.remoteshell.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a port for remote shells in a process that would otherwise not listen. This is a process in the role {@code
 * serve}, unless {@code hearth.shell.enabled} is false. The port is open while this bundle is active. A failure to open
 * it is logged.
 */
@Component
public final class ShellPort {
    private static final Logger LOG = LoggerFactory.getLogger(ShellPort.class);
    private static final String ROLE = "serve";

    private final Optional<RpcEnv> env;

    @Activate
    public ShellPort(@Reference KernelInfo kernel, @Reference RpcEnvFactory envs) {
        this.env = kernel.role().equals(ROLE) ? open(kernel, envs) : Optional.empty();
    }

    private static Optional<RpcEnv> open(KernelInfo kernel, RpcEnvFactory envs) {
        try {
            SettingsReader in = new SettingsReader(kernel.settings());
            boolean isEnabled = in.read(RemoteShellSettings.ENABLED);
            int port = in.read(RemoteShellSettings.PORT);
            String host = in.read(RemoteShellSettings.HOST);
            in.finish();
            if (!isEnabled) {
                return Optional.empty();
            }
            RpcEnv opened = envs.open(RpcSettings.listening(kernel.settings(), host, port));
            LOG.info("remote shells are accepted at {}", opened.address().orElseThrow());
            return Optional.of(opened);
        } catch (HearthException refused) {
            LOG.error("remote shells: the port cannot be opened: {}", refused.getMessage());
            return Optional.empty();
        }
    }

    @Deactivate
    void close() {
        env.ifPresent(RpcEnv::close);
    }
}
