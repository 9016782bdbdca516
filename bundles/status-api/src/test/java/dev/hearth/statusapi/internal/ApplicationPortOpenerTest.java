package dev.hearth.statusapi.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.monitor.MonitoringProxy;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ports that applications open, recorded by a factory that opens none. */
class ApplicationPortOpenerTest {
    private final List<RpcSettings> asked = new ArrayList<>();
    private final ApplicationPortOpener ports = new ApplicationPortOpener(settings -> {
        asked.add(settings);
        throw ErrorCode.PORT_IN_USE.failure("port: taken");
    });

    @Test
    void opensNoPortByDefault() {
        assertTrue(ports.subscribe("app", "name", Settings.empty()).isEmpty());
        assertEquals(List.of(), asked);
    }

    @Test
    void opensSparksPortOnLoopbackByDefault() {
        assertEquals("PORT_IN_USE", refusal(Map.of("hearth.ui.enabled", "true")));
        RpcSettings.Listen listen = asked.get(0).listen().orElseThrow();
        assertEquals(new RpcSettings.Listen("127.0.0.1", 4040, "127.0.0.1", 16), listen);
        assertTrue(listen.isLoopback());
    }

    @Test
    void readsAddressPortAndRetriesFromSettings() {
        refusal(Map.of("spark.ui.enabled", "true", "hearth.ui.host", "localhost", "spark.ui.port", "5050"));
        RpcSettings.Listen listen = asked.get(0).listen().orElseThrow();
        assertEquals(new RpcSettings.Listen("localhost", 5050, "localhost", 16), listen);
        assertEquals("BAD_SETTING", refusal(Map.of("hearth.ui.enabled", "true", "hearth.ui.port", "70000")));
    }

    @Test
    void refusesOtherMachinesWithoutAuthentication() {
        assertEquals("BAD_SETTING", refusal(Map.of("hearth.ui.enabled", "true", "hearth.ui.host", "10.0.0.9")));
        assertEquals(List.of(), asked);
    }

    @Test
    void letsTheProxyOfTheClusterDecide() {
        HttpGate gate = request -> new HttpGate.Undecided();
        MonitoringProxy proxy = application -> application.equals("app")
                ? Optional.of(new MonitoringProxy.Publication() {
                    @Override
                    public HttpGate gate() {
                        return gate;
                    }

                    @Override
                    public String opened(RpcAddress address) {
                        throw new AssertionError("no port is open");
                    }

                    @Override
                    public void closed(RpcAddress address) {
                        throw new AssertionError("no port is open");
                    }
                })
                : Optional.empty();
        ports.addProxy(proxy);
        refusal(Map.of("hearth.ui.enabled", "true"));
        assertEquals(Optional.of(gate), asked.get(0).trust().gate());
        ports.removeProxy(proxy);
        refusal(Map.of("hearth.ui.enabled", "true"));
        assertEquals(Optional.empty(), asked.get(1).trust().gate());
    }

    private String refusal(Map<String, String> settings) {
        Settings all = Settings.empty().with("test", settings);
        return assertThrows(HearthException.class, () -> {
                    ApplicationListener opened =
                            ports.subscribe("app", "name", all).orElseThrow();
                    throw new AssertionError(opened + " (expected: no port)");
                })
                .code();
    }
}
