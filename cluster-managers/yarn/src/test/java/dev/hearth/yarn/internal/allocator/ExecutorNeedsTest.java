package dev.hearth.yarn.internal.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Divides the memory of a container, of which schedulers grant more than was asked for. */
class ExecutorNeedsTest {
    private static final ContainerSize ASKED = new ContainerSize(1024, 0, 384);
    private static final ContainerCapability GRANTED = new ContainerCapability(2048, 1, Map.of());

    private static ContainerSize in(ContainerCapability granted, boolean fills) {
        return new ExecutorNeeds(granted, ASKED, 1, ContainerPlace.ANY, fills).memoryIn(granted);
    }

    @Test
    void countsWhatIsLeftOverAsOverheadOrAsHeap() {
        assertEquals(new ContainerSize(1024, 0, 1024), in(GRANTED, false));
        assertEquals(new ContainerSize(1664, 0, 384), in(GRANTED, true));
    }

    @Test
    void leavesAContainerOfTheSizeThatWasAskedForAsItIs() {
        assertEquals(ASKED, in(new ContainerCapability(1408, 1, Map.of()), true));
        assertEquals(ASKED, in(new ContainerCapability(1408, 1, Map.of()), false));
    }
}
