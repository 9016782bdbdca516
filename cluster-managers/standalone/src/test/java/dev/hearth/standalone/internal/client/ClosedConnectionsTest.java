package dev.hearth.standalone.internal.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverSubmitted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriversFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindLeader;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LeaderFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WatchDriver;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingSubmissionServices;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Clients keep no connection to a master that leads no more. The masters are scripted, the network is simulated. */
class ClosedConnectionsTest {
    private static final Duration MOMENT = Duration.ofSeconds(5);
    private static final SubmissionId DRIVER = new SubmissionId("driver-20261120101010-0000");

    private static final DriverStatus STATUS = new DriverStatus(
            DRIVER,
            DriverStatus.DriverState.SUBMITTED,
            "",
            "",
            "",
            OptionalInt.empty(),
            "",
            "",
            0,
            Map.of(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty());

    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess client = simulation.process("client");
    private final EventLoop loop = client.loop("client");
    private final TestingSubmissionServices services =
            new TestingSubmissionServices(client.env(), loop, Settings.empty());
    private final ScriptedMaster first = new ScriptedMaster("10.0.0.1");
    private final ScriptedMaster second = new ScriptedMaster("10.0.0.2");

    /** Master that says that it leads, and serves requests only if it does. */
    private final class ScriptedMaster {
        private final Set<Long> open = new LinkedHashSet<>(); // connections
        private final Set<Peer> watching = new LinkedHashSet<>();
        private boolean saysItLeads = true;
        private boolean leads = true;

        ScriptedMaster(String host) {
            SimulatedProcess process = simulation.process("master@" + host);
            process.env(host, 7077)
                    .register(
                            MasterProtocol.ENDPOINT,
                            MasterProtocol.PROTOCOL,
                            process.loop("master"),
                            Receiver.of(MasterProtocol.ENDPOINT)
                                    .answer(FindLeader.class, (message, peer) -> {
                                        open.add(peer.id());
                                        return new LeaderFound(1, saysItLeads ? LeaderFound.ALIVE : "STANDBY", "");
                                    })
                                    .answer(FindDrivers.class, (message, peer) -> serve(new DriversFound(List.of())))
                                    .answer(SubmitDriver.class, (message, peer) -> {
                                        watching.add(peer);
                                        return serve(new DriverSubmitted(DRIVER));
                                    })
                                    .answer(WatchDriver.class, (message, peer) -> serve(new DriverFound(STATUS)))
                                    .onPeerLost((peer, reason) -> open.remove(peer.id()))
                                    .build());
        }

        private <T> T serve(T answer) {
            if (!leads) {
                throw ErrorCode.CLUSTER_UNREACHABLE.failure("master: STANDBY (expected: ALIVE)");
            }
            return answer;
        }
    }

    private CompletableFuture<DriversFound> ask(MasterLine line) {
        CompletableFuture<DriversFound> found =
                line.ask(new FindDrivers("driver-*"), DriversFound.class).toCompletableFuture();
        simulation.runFor(MOMENT);
        return found;
    }

    @Test
    void aLineLeavesAMasterThatIsFollowedByAnother() {
        second.saysItLeads = false;
        MasterLine line = new MasterLine(MasterUrl.parse("hearth://10.0.0.1:7077,10.0.0.2:7077"), services);
        ask(line).join();
        assertEquals(1, first.open.size());
        first.leads = false;
        first.saysItLeads = false;
        second.saysItLeads = true;
        assertTrue(ask(line).isDone());
        assertEquals(0, first.open.size());
        assertEquals(1, second.open.size());
    }

    @Test
    void aSubmitterLeavesMastersThatRefuseIt() {
        first.leads = false;
        SubmissionPlan plan = SubmissionPlan.builder("d", "x.D")
                .add(SubmissionResource.Kind.APPLICATION_JAR, "/x.jar")
                .build();
        StandaloneSubmitter submitter =
                new StandaloneSubmitter(MasterUrl.parse("hearth://10.0.0.1:7077,10.0.0.2:7077"), services);
        CompletableFuture<SubmissionId> accepted = new CompletableFuture<>();
        loop.execute(() -> submitter.submit(plan, "request", new Ignoring()).thenAccept(accepted::complete));
        simulation.runFor(MOMENT);
        first.saysItLeads = false;
        simulation.runFor(MOMENT);
        assertEquals(DRIVER, accepted.join());
        assertEquals(0, first.open.size());
        assertEquals(1, second.open.size());

        second.leads = false;
        second.watching.forEach(Peer::close); // its submitter watches again
        simulation.runFor(MOMENT);
        assertTrue(second.open.size() <= 1, () -> second.open.size() + " connections");
        second.leads = true;
        simulation.runFor(MOMENT);
        assertEquals(1, second.open.size());
    }

    /** Listener that needs no reports. */
    private static final class Ignoring implements SubmissionListener {
        @Override
        public void changed(SubmissionStatus status) {}

        @Override
        public void lost(String reason) {
            throw new AssertionError(reason);
        }
    }
}
