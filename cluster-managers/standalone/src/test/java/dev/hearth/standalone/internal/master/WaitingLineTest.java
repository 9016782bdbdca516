package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.standalone.internal.master.WaitingLine.Outcome;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Members of the line are numbers, whose tens are the cores that they need. */
class WaitingLineTest {
    private final WaitingLine<Integer> line = new WaitingLine<>(
            Comparator.<Integer>naturalOrder(), member -> new ProcessNeeds(member / 10, 1, Map.of(), false));
    private final List<Integer> asked = new ArrayList<>();

    @Test
    void asksGroupsTogetherInTheOrderOfTheirMembers() {
        List.of(21, 11, 22, 12).forEach(line::add);
        offer(Outcome.WAITS);
        assertEquals(List.of(11, 12, 21, 22), asked);
        offer(Outcome.WAITS);
        assertEquals(4, asked.size(), "not again, as nothing has changed");
    }

    @Test
    void asksNobodyWhoseNeedsHaveNoRoom() {
        List.of(11, 12, 21, 22).forEach(line::add);
        offer(Outcome.NO_ROOM);
        assertEquals(List.of(11, 21), asked, "the first of each group");
        line.add(13);
        line.add(12);
        offer(Outcome.WAITS);
        assertEquals(2, asked.size(), "they need as much as 11");
        line.gained(worker(1));
        offer(Outcome.LEAVES);
        assertEquals(List.of(11, 21, 11, 12, 13), asked);
        assertEquals(Set.of(new ProcessNeeds(2, 1, Map.of(), false)), line.needs());
        line.gained(worker(2));
        offer(Outcome.LEAVES);
        assertEquals(List.of(11, 21, 11, 12, 13, 21, 22), asked);
        assertEquals(Set.of(), line.needs());
    }

    @Test
    void asksAMemberAgainWhoseWishHasChanged() {
        List.of(11, 12).forEach(line::add);
        offer(Outcome.WAITS);
        line.add(12);
        offer(Outcome.WAITS);
        assertEquals(List.of(11, 12, 12), asked);
    }

    @Test
    void asksTheRestLaterWhenThereIsEnough() {
        List.of(11, 12, 21).forEach(line::add);
        offer(Outcome.ENOUGH);
        offer(Outcome.LEAVES);
        assertEquals(List.of(11, 11, 12, 21), asked);
    }

    @Test
    void forgetsWhoHasLeft() {
        List.of(11, 12).forEach(line::add);
        line.remove(11);
        line.remove(12);
        line.remove(21);
        offer(Outcome.WAITS);
        assertEquals(List.of(), asked);
        assertEquals(Set.of(), line.needs());
    }

    private void offer(Outcome outcome) {
        line.offer(member -> {
            asked.add(member);
            return outcome;
        });
    }

    private static WorkerRecord worker(int cores) {
        return new WorkerRecord(
                new RegisterWorker("worker", "h", 7078, cores, 1_024, ""), 1, 0, (worker, gained) -> {});
    }
}
