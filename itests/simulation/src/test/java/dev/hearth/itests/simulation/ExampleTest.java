package dev.hearth.itests.simulation;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.testkit.FaultScript;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A visitor signs a house's guest book exactly once per visit, whichever messages and processes are lost. */
class ExampleTest {
    private static final Protocol PROTOCOL = Protocol.named("guests", MethodHandles.lookup())
            .message(1, Sign.class)
            .message(2, Signed.class)
            .build();
    private static final RpcAddress HOUSE = new RpcAddress("house", 7_000);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final Duration FAULTY = Duration.ofMinutes(3);

    private static final Duration BETWEEN_VISITS = Duration.ofSeconds(8);
    private static final int VISITS = 20;

    private final List<String> book = new ArrayList<>(); // on the disk of the house, which survives a crash
    private int thanked; // acknowledged visits, on the visitor's disk

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void signsOnceWhateverHappens(long seed) {
        Simulation simulation = new Simulation(seed);
        simulation.always("one line per visit", () -> Set.copyOf(book).size() == book.size());
        simulation.process("house", this::keepHouse);
        simulation.process("visitor", this::visit);
        FaultScript faults = new FaultScript(simulation, List.of("house", "visitor"), FAULTY).begin();

        simulation.runUntil(() -> faults.isOver() && thanked == VISITS, FAULTY.multipliedBy(2));

        simulation.require("every visit is in the book", () -> thanked == VISITS && book.size() == VISITS);
    }

    /** The program of a process, at its start and at each restart. */
    private void keepHouse(SimulatedProcess process) {
        Receiver door = Receiver.of("door")
                .answer(Sign.class, (message, peer) -> {
                    if (!book.contains(message.visit())) { // otherwise this is a retry, whose first answer was lost
                        book.add(message.visit());
                    }
                    return new Signed(message.visit());
                })
                .build();
        process.env(HOUSE.host(), HOUSE.port()).register("door", PROTOCOL, process.loop("house"), door);
    }

    private void visit(SimulatedProcess process) {
        EndpointRef door = process.env().ref(new EndpointUri("door", HOUSE), PROTOCOL);
        EventLoop loop = process.loop("visitor");
        loop.execute(() -> knock(door, loop));
    }

    private void knock(EndpointRef door, EventLoop loop) {
        if (thanked == VISITS) {
            return;
        }
        door.ask(new Sign("visit-" + thanked), Signed.class, ANSWER_MAX)
                .whenComplete((signed, failure) -> loop.inOrder(() -> {
                    thanked += failure == null ? 1 : 0;
                    loop.schedule(failure == null ? BETWEEN_VISITS : ANSWER_MAX, () -> knock(door, loop));
                }));
    }

    record Sign(String visit) {}

    record Signed(String visit) {}
}
