package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.testkit.Simulation;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Addresses of resources on a standalone cluster, while applications, drivers, workers and the master come and go. */
class ResourceAddressesTest {
    private static final int SEEDS = 60;

    static LongStream seeds() {
        return Simulation.seeds(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givesNoAddressToTwoProcessesAndLosesNone(long seed) {
        AddressCluster cluster = new AddressCluster(seed);
        cluster.storm();
        assertEquals(AddressCluster.MACHINES * AddressCluster.GPUS, cluster.takeAll(), "seed " + seed);
    }
}
