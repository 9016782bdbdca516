package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.client.StandaloneManager;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationRegistered;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindLeader;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LeaderFound;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerRegistered;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Workers and applications whose leader is lost after they have found it, and before it has registered them. */
class LostLeadersTest {
    private static final RpcAddress FIRST = new RpcAddress("10.0.9.1", 7077);
    private static final RpcAddress SECOND = new RpcAddress("10.0.9.2", 7077);
    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final Duration TRIES = Duration.ofSeconds(20); // less than hearth.submit.timeout
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final ApplicationId APPLICATION = new ApplicationId("app-20261120101010-0000");

    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess client = simulation.process("client");
    private final EventLoop loop = client.loop("client");

    /** Master that says that it has {@code state}, and registers only if it is ALIVE. */
    private final class ScriptedMaster {
        private final SimulatedProcess process;
        private final EventLoop loop;
        private final List<String> requests = new ArrayList<>();
        private String state = LeaderFound.STANDBY;
        private boolean leavesThoseWhoAsk;
        private boolean leavesThoseWhoRegister;

        ScriptedMaster(RpcAddress address) {
            process = simulation.process("master@" + address.host());
            loop = process.loop("master");
            process.env(address.host(), address.port())
                    .register(
                            MasterProtocol.ENDPOINT,
                            MasterProtocol.PROTOCOL,
                            loop,
                            Receiver.of(MasterProtocol.ENDPOINT)
                                    .answer(FindLeader.class, (message, peer) -> {
                                        leave(peer, leavesThoseWhoAsk);
                                        return new LeaderFound(1, state, "");
                                    })
                                    .answer(
                                            RegisterWorker.class,
                                            (message, peer) -> serve("worker", peer, new WorkerRegistered("", 10_000)))
                                    .answer(
                                            RegisterApplication.class,
                                            (message, peer) -> serve(
                                                    message.session().id(),
                                                    peer,
                                                    new ApplicationRegistered(APPLICATION)))
                                    .build());
        }

        private <T> T serve(String request, Peer peer, T answer) {
            requests.add(request);
            if (leavesThoseWhoRegister) {
                peer.close();
            }
            if (!state.equals(LeaderFound.ALIVE)) {
                throw ErrorCode.CLUSTER_UNREACHABLE.failure("master: " + state + " (expected: ALIVE)");
            }
            return answer;
        }

        private void leave(Peer peer, boolean leaves) {
            if (leaves) {
                loop.schedule(MOMENT, peer::close);
            }
        }
    }

    /** An application that only registers. */
    private final class Program extends TestingDriver {
        private final RpcEnv rpc = client.env();

        CompletableFuture<SchedulerBackend> open() {
            CompletableFuture<SchedulerBackend> opened = new CompletableFuture<>();
            MasterUrl masters = MasterUrl.parse("hearth://" + FIRST + "," + SECOND);
            loop.execute(() -> new StandaloneManager()
                    .open(new ApplicationSpec("program", Settings.empty()), masters, this)
                    .whenComplete((backend, failure) -> {
                        if (failure == null) {
                            opened.complete(backend);
                        } else {
                            opened.completeExceptionally(failure);
                        }
                    }));
            return opened;
        }

        @Override
        public EventLoop loop() {
            return loop;
        }

        @Override
        public RpcEnv rpc() {
            return rpc;
        }

        @Override
        public void started(ExecutorId executor, String host, int cores) {}

        @Override
        public void leaving(ExecutorId executor, String reason) {}

        @Override
        public void lost(ExecutorId executor, LostExecutor why) {}

        @Override
        public void clusterLost(HearthException why) {
            throw new AssertionError(why);
        }
    }

    @Test
    void anApplicationRegistersWithTheNextLeader() {
        ScriptedMaster first = new ScriptedMaster(FIRST);
        ScriptedMaster second = new ScriptedMaster(SECOND);
        first.state = LeaderFound.ALIVE;
        first.leavesThoseWhoRegister = true;
        CompletableFuture<SchedulerBackend> opened = new Program().open();
        simulation.runFor(TRIES.dividedBy(2));
        assertFalse(opened.isDone());
        first.state = LeaderFound.STANDBY;
        second.state = LeaderFound.ALIVE;
        simulation.runFor(TRIES.dividedBy(2));
        assertEquals(APPLICATION, opened.join().application());
        assertTrue(first.requests.size() > 1, "it has tried again");
        assertEquals(Set.copyOf(second.requests), Set.copyOf(first.requests), "each time as the same session");
    }

    @Test
    void anApplicationThatIsRefusedFailsInTime() {
        new ScriptedMaster(FIRST).leavesThoseWhoRegister = true;
        ScriptedMaster second = new ScriptedMaster(SECOND);
        second.state = LeaderFound.ALIVE;
        second.leavesThoseWhoRegister = true;
        CompletableFuture<SchedulerBackend> opened = new Program().open();
        simulation.runFor(TRIES.multipliedBy(2));
        assertTrue(opened.isCompletedExceptionally());
    }

    /** The search ends when the other master has been silent for its time, and the connection that it found is gone then. */
    @Test
    void aWorkerReturnsToAMasterThatWasInDoubtAndHasClosedTheConnection() {
        ScriptedMaster first = new ScriptedMaster(FIRST);
        first.state = LeaderFound.UNCERTAIN;
        first.leavesThoseWhoAsk = true;
        new ScriptedMaster(SECOND).process.vanish();
        WorkerSpec spec = new WorkerSpec(
                "worker-1",
                new RpcAddress("10.0.0.1", 7078),
                4,
                4_096,
                Path.of("work"),
                OutputFiles.DEFAULTS,
                CleanupSettings.DEFAULTS,
                List.of(FIRST, SECOND),
                WorkerSpec.Children.DEFAULTS);
        SimulatedProcesses processes = new SimulatedProcesses(client, (order, child) -> {});
        CompletableFuture<Void> registered = new WorkerShell(spec, loop, client.env("10.0.0.1", 7078), processes)
                .start()
                .toCompletableFuture();
        simulation.runFor(LONG);
        assertFalse(registered.isDone());
        first.state = LeaderFound.ALIVE;
        first.leavesThoseWhoAsk = false;
        simulation.runFor(LONG);
        assertTrue(registered.isDone());
    }
}
