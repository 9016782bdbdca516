package dev.hearth.engine.internal.driver.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.engine.internal.protocol.DriverProtocol.ServedBy;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.Attach;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.Attached;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.DropShuffles;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.EndApplication;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Connections of a driver to scripted shuffle services on a simulated network. */
class ShuffleServiceLinksTest {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String SCOPE = "shuffle-app";
    private static final ExecutorId HOLDER = ShuffleServiceOrders.holderOf("worker");
    private static final ServedBy BY = new ServedBy(HOLDER.value(), "worker:7078", SCOPE);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess driver = simulation.process("driver");
    private final SimulatedProcess worker = simulation.process("worker");
    private final RpcEnv rpc = driver.env("driver", 1);
    private final List<String> lost = new ArrayList<>();
    private final List<Record> heard = new ArrayList<>();
    private final ShuffleServiceLinks links = links(true);

    private ShuffleServiceLinks links(boolean removes) {
        return new ShuffleServiceLinks(
                driver.loop("driver"),
                new ShuffleServiceUse(true, removes, Duration.ofSeconds(10)),
                name -> rpc.scope(name, Optional.empty()),
                (service, host, executors, reason) -> lost.add(service + " on " + host + " with " + names(executors)));
    }

    private static Set<String> names(Set<ExecutorId> executors) {
        Set<String> names = new TreeSet<>();
        executors.forEach(each -> names.add(each.value()));
        return names;
    }

    private void service(SimulatedProcess process, String answer) {
        Receiver receiver = Receiver.of(ShuffleServiceProtocol.ENDPOINT)
                .answer(Attach.class, (message, peer) -> new Attached(answer))
                .on(DropShuffles.class, (message, peer) -> heard.add(message))
                .on(EndApplication.class, (message, peer) -> heard.add(message))
                .build();
        process.env("worker", 7078)
                .scope(SCOPE, Optional.empty())
                .register(
                        ShuffleServiceProtocol.ENDPOINT,
                        ShuffleServiceProtocol.PROTOCOL,
                        process.loop("service"),
                        receiver);
    }

    private void act(Runnable action) {
        driver.loop("driver").execute(action);
        simulation.runFor(SOON);
    }

    private void serve(String executor) {
        act(() -> assertEquals(Optional.of(HOLDER), links.serve(new ExecutorId(executor), "worker", BY)));
    }

    @Test
    void knowsTheAddressOfAService() {
        service(worker, HOLDER.value());
        serve("1");
        assertEquals("worker:7078", links.address(HOLDER));
        assertEquals("", links.address(new ExecutorId("1")));
        act(() -> assertEquals(Optional.empty(), links.serve(new ExecutorId("2"), "elsewhere", ServedBy.ITSELF)));
    }

    @Test
    void tellsServicesWhatToRemove() {
        service(worker, HOLDER.value());
        serve("1");
        act(() -> links.dropShuffle(7));
        act(links::close);
        assertEquals(List.of(new DropShuffles(List.of(7)), new EndApplication()), heard);
        worker.crash();
        simulation.runFor(LONG);
        assertEquals(List.of(), lost, "the application has ended");
    }

    @Test
    void leavesShufflesIfTheSettingSaysSo() {
        service(worker, HOLDER.value());
        ShuffleServiceLinks keeping = links(false);
        act(() -> keeping.serve(new ExecutorId("1"), "worker", BY));
        act(() -> keeping.dropShuffle(7));
        assertEquals(List.of(), heard);
    }

    @Test
    void losesAServiceThatDoesNotReturn() {
        service(worker, HOLDER.value());
        serve("1");
        serve("2");
        act(() -> links.executorLost(new ExecutorId("1")));
        worker.crash();
        simulation.runFor(LONG);
        assertEquals(List.of(HOLDER + " on worker with [2]"), lost);
        assertEquals("", links.address(HOLDER));
    }

    @Test
    void keepsAServiceWhoseConnectionIsLostForAMoment() {
        service(worker, HOLDER.value());
        serve("1");
        simulation.network().cut(driver, worker);
        simulation.runFor(Duration.ofMillis(500));
        simulation.network().heal(driver, worker);
        simulation.runFor(LONG);
        act(() -> links.dropShuffle(1));
        assertEquals(List.of(), lost);
        assertEquals(List.of(new DropShuffles(List.of(1))), heard);
    }

    @Test
    void keepsAServiceWhoseWorkerHasStartedAgain() {
        service(worker, HOLDER.value());
        serve("1");
        worker.crash();
        simulation.runFor(Duration.ofSeconds(7));
        service(simulation.process("worker-again"), HOLDER.value());
        simulation.runFor(LONG);
        assertEquals(List.of(), lost);
        act(() -> links.dropShuffle(1));
        assertEquals(List.of(new DropShuffles(List.of(1))), heard);
    }

    @Test
    void givesALostServiceThatReturnsAnotherId() {
        service(worker, HOLDER.value());
        serve("1");
        worker.crash();
        simulation.runFor(LONG);
        service(simulation.process("worker-again"), HOLDER.value());
        ExecutorId again = new ExecutorId(HOLDER + ".1");
        act(() -> assertEquals(Optional.of(again), links.serve(new ExecutorId("2"), "worker", BY)));
        simulation.runFor(LONG);
        assertEquals(List.of(HOLDER + " on worker with [1]"), lost);
        assertEquals("worker:7078", links.address(again));
        assertEquals("", links.address(HOLDER));
    }

    @Test
    void tellsAServiceLaterWhichShufflesWereDroppedWithoutAConnection() {
        service(worker, HOLDER.value());
        serve("1");
        simulation.network().cut(driver, worker);
        simulation.runFor(Duration.ofMillis(100));
        driver.loop("driver").execute(() -> links.dropShuffle(1));
        driver.loop("driver").execute(() -> links.dropShuffle(2));
        simulation.runFor(Duration.ofMillis(400));
        simulation.network().heal(driver, worker);
        simulation.runFor(LONG);
        assertEquals(List.of(), lost);
        assertEquals(List.of(new DropShuffles(List.of(1, 2))), heard);
    }

    @Test
    void losesAServiceThatAnotherHasReplaced() {
        service(worker, ShuffleServiceOrders.holderOf("worker-restarted").value());
        serve("1");
        assertEquals(List.of(HOLDER + " on worker with [1]"), lost);
    }

    @Test
    void losesAServiceThatIsNotThere() {
        serve("1");
        simulation.runFor(LONG);
        assertEquals(List.of(HOLDER + " on worker with [1]"), lost);
    }
}
