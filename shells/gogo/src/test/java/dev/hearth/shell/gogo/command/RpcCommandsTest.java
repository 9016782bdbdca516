package dev.hearth.shell.gogo.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.spi.metrics.MetricSource.Sample;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.rpc.RpcSnapshot.EndpointState;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.rpc.RpcSnapshot.Refusals;
import dev.hearth.spi.rpc.RpcSnapshot.ScopeState;
import dev.hearth.spi.rpc.RpcStatus;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code hearth:rpc} with a simulated message system. */
class RpcCommandsTest {
    private static final RpcSnapshot BUSY = new RpcSnapshot(
            "127.0.0.1:7077",
            true,
            List.of(new ScopeState(
                    "process", true, List.of(new EndpointState("master", "shared", 3, 40, 2)), List.of("jars"))),
            List.of(new PeerState(
                    7,
                    "process",
                    Lane.MESSAGES,
                    "10.0.0.9:4000",
                    "TLS 1.3, proved",
                    65_000,
                    12,
                    5,
                    123,
                    1_000,
                    2_000,
                    50_000_000,
                    9_000,
                    true)),
            new Refusals(1, 2, 3, 4, 5, 6));

    private final RpcCommands commands = new RpcCommands();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final CommandSession session =
            new CommandProcessorImpl(null).createSession(InputStream.nullInputStream(), out, out);

    @Test
    void showsPeersUnlessAskedForMore() {
        commands.addEnv(() -> BUSY);
        session.put(CommandCall.WIDTH, "200");
        String shown = said();
        for (String part : List.of("10.0.0.9:4000", "TLS 1.3, proved", "65s", "5 (paused)", "47m", "messages")) {
            assertTrue(shown.contains(part), () -> part + " in\n" + shown);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"peers", "scopes", "endpoints", "refusals", "metrics"})
    void saysSoWhereNothingIsOpen(String view) {
        assertEquals("no message system is open in this process\n", said(view));
        assertEquals("[]\n", said(view, "--json"));
    }

    @Test
    void givesProgramsNumbers() {
        commands.addEnv(() -> BUSY);
        assertEquals(
                "[{\"address\":\"127.0.0.1:7077\",\"scope\":\"process\",\"endpoint\":\"master\",\"runs\":\"shared\","
                        + "\"waiting\":3,\"handled\":40,\"failed\":2}]\n",
                said("endpoints", "--json"));
        assertEquals(
                "[{\"address\":\"127.0.0.1:7077\",\"inHandshake\":1,\"foreign\":2,\"tooMany\":3,\"timedOut\":4,"
                        + "\"notAuthenticated\":5,\"unknownScope\":6}]\n",
                said("refusals", "--json"));
        assertTrue(said("scopes", "--json").contains("\"streams\":[\"jars\"]"));
        assertTrue(said("peers", "--json").contains("\"bytesOut\":50000000"));
    }

    @Test
    void showsItsOwnNumbersOfAllThatThereAre() {
        MetricSource meter = () ->
                List.of(Sample.gauge("rpc.peers", Map.of("lane", "bulk"), 2), Sample.counter("jobs.done", Map.of(), 1));
        commands.addMeter(meter);
        assertEquals(
                "[{\"metric\":\"rpc.peers\",\"labels\":{\"lane\":\"bulk\"},\"value\":2}]\n", said("metrics", "--json"));
        commands.removeMeter(meter);
        assertEquals("[]\n", said("metrics", "--json"));
    }

    @Test
    void followsEnvsThatComeAndGo() {
        RpcStatus env = () -> BUSY;
        commands.addEnv(env);
        commands.removeEnv(env);
        assertEquals("[]\n", said("scopes", "--json"));
    }

    @Test
    void refusesOtherViews() {
        HearthException failure = assertThrows(HearthException.class, () -> said("everything"));
        assertTrue(String.valueOf(failure.getMessage()).contains("'everything' (expected: peers"), failure::getMessage);
    }

    private String said(String... words) {
        output.reset();
        commands.rpc(session, words);
        return output.toString(StandardCharsets.UTF_8);
    }
}
