package dev.hearth.yarn.internal.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.junit.jupiter.api.Test;

/** Sums requests with a placement constraint by their groups. */
class ConstrainedRequestsTest {
    private static final String APART = "notin,node,hearth-executor";

    private final ConstrainedRequests requests = new ConstrainedRequests();

    private static ContainerAsk ask(long key, long group) {
        return new ContainerAsk(
                key, 3, group, new ContainerCapability(1024, 1, Map.of()), List.of(), new ContainerPlace("", APART));
    }

    private List<String> taken() {
        return requests.take().stream()
                .map(each -> each.getAllocationRequestId() + ": "
                        + each.getResourceSizing().getNumAllocations())
                .toList();
    }

    @Test
    void asksForTheWholeNumberOfAGroupWhenItChanges() {
        requests.add(ask(1, 7));
        requests.add(ask(2, 7));
        requests.add(ask(3, 8));
        assertEquals(List.of("7: 2", "8: 1"), taken());
        assertEquals(List.of(), taken());
        requests.cancel(ask(2, 7));
        assertEquals(List.of("7: 1"), taken());
    }

    @Test
    void leavesGrantsToTheResourceManagerWhichCountsThemItself() {
        requests.add(ask(1, 7));
        requests.add(ask(2, 7));
        assertEquals(List.of("7: 2"), taken());
        requests.granted(ask(1, 7));
        assertEquals(List.of(), taken());
        requests.add(ask(3, 7));
        assertEquals(List.of("7: 2"), taken());
        requests.granted(ask(2, 7));
        requests.cancel(ask(3, 7));
        assertEquals(List.of("7: 0"), taken());
    }

    @Test
    void namesTheTagThePriorityAndTheConstraint() {
        requests.add(ask(1, 7));
        SchedulingRequest request = requests.take().get(0);
        assertEquals(3, request.getPriority().getPriority());
        assertEquals(ConstrainedRequests.TAGS, request.getAllocationTags());
        assertEquals(1024, request.getResourceSizing().getResources().getMemorySize());
        assertTrue(request.getPlacementConstraint().toString().contains("hearth-executor"), request::toString);
    }

    @Test
    void saysWhyATextIsNoConstraint() {
        assertEquals(Optional.empty(), ConstrainedRequests.problem(APART));
        assertEquals(Optional.empty(), ConstrainedRequests.problem("and(notin,node,hearth-executor:in,rack,hbase)"));
        String problem = ConstrainedRequests.problem("somewhere else").orElseThrow();
        assertTrue(problem.startsWith("hearth.yarn.executor.placementConstraint=somewhere else: "), problem);
    }
}
