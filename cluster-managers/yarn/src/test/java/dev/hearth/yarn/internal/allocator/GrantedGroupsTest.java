package dev.hearth.yarn.internal.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Matches grants with what was asked for by the number of the requests, where the ResourceManager returns it. */
class GrantedGroupsTest {
    private final AllocatorScene scene = new AllocatorScene();

    private List<ContainerAsk> wantInTwoContexts() {
        scene.want(1);
        scene.perform(
                scene.allocator.want(2, Map.of(ProfileId.DEFAULT, Demand.of(1)), scene.needs, Set.of(), scene.now));
        return List.copyOf(scene.asks.values());
    }

    private GrantedContainer grant(int priority, long group) {
        GrantedContainer made = scene.container("host1", AllocatorScene.COMES, priority);
        return new GrantedContainer(
                made.id(),
                made.host(),
                made.node(),
                made.httpAddress(),
                made.rack(),
                made.capability(),
                made.priority(),
                group);
    }

    @Test
    void goesByTheNumberOfTheRequestsBeforeThePriority() {
        List<ContainerAsk> asks = wantInTwoContexts();

        scene.report(List.of(grant(asks.get(0).priority(), asks.get(1).group())), List.of());

        assertEquals(List.of(2), scene.contexts);
        assertEquals(1, scene.asks.size());
    }

    @Test
    void goesByThePriorityIfNoNumberIsReturned() {
        List<ContainerAsk> asks = wantInTwoContexts();

        scene.report(List.of(grant(asks.get(1).priority(), 0)), List.of());

        assertEquals(List.of(2), scene.contexts);
    }

    @Test
    void neverUsesTheNumberOfRequestsAgain() {
        scene.want(1);
        ContainerAsk before = scene.asks.values().iterator().next();
        scene.perform(scene.allocator.close(AllocatorScene.CONTEXT, scene.now));
        scene.want(1);

        ContainerAsk after = scene.asks.values().iterator().next();
        assertEquals(before.priority(), after.priority());
        assertNotEquals(before.group(), after.group());
    }
}
