package dev.hearth.statusapi.internal;

import dev.hearth.spi.monitor.MonitorSettings;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Optional;

/** Settings of an application's monitoring port. Read from {@code hearth.ui.*} for each application. */
record PortSettings(String host, int port, int retries) {
    private static final String HOST_DEFAULT = "127.0.0.1";

    static final SettingKey<Integer> PORT = SettingKey.port(
            "hearth.ui.port",
            4040,
            "The port of `hearth.ui.enabled`; if it is taken, the next ones are tried. 0 takes any free one.");
    static final SettingKey<String> HOST = SettingKey.text(
                    "hearth.ui.host", HOST_DEFAULT, "The address to bind `hearth.ui.port` to.")
            .obeying("a name or an address", text -> !text.isBlank());
    static final List<SettingKey<?>> KEYS = List.of(MonitorSettings.UI_ENABLED, PORT, HOST);

    static PortSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        PortSettings read = new PortSettings(in.read(HOST), in.read(PORT), in.read(RpcSettings.PORT_RETRIES));
        in.finish();
        return read;
    }

    RpcSettings.Listen listen(Optional<String> bindAddress) {
        return new RpcSettings.Listen(bindAddress.orElse(host), port, host, retries);
    }
}
