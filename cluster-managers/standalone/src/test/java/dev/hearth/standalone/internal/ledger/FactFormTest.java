package dev.hearth.standalone.internal.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the binary form of facts: that it keeps every component, and what it does with other releases. */
class FactFormTest {
    private static final SubmissionId ID = new SubmissionId("driver-20261120101010-0001");
    private final FactForm form = new FactForm();

    static Stream<Fact> facts() {
        DriverSpec spec = new DriverSpec(
                        "ä name", "x.Main", "/x.jar", List.of("a", ""), Map.of("hearth.key", "value"), 3, 512)
                .but()
                .carrying(List.of("file"), Map.of("HOME", "/"))
                .addresses(Map.of("gpu", 2))
                .supervised(OptionalInt.of(7))
                .build();
        return Stream.of(
                new Fact.EpochBegun(1L << 40, "h:7077", 5, "h:7077@1"),
                new Fact.NumbersUsed(1, 2, 3),
                new Fact.DriverTaken(ID, "request", spec, 4),
                new Fact.DriverPlaced(ID, 1, 2, "worker-1", "h:1", "/work", 5, "session", "http://h:1"),
                new Fact.DriverBackedOff(ID, 1, 2, "exit status 3"),
                new Fact.DriverLeft(ID, 1, 2, 3, "lost", "worker-1"),
                new Fact.DriverKillAsked(ID, true),
                new Fact.DriverClosed(ID, DriverState.FAILED, "why", OptionalInt.of(3), "out", "err", 6),
                new Fact.DriverClosed(ID, DriverState.ERROR, "", OptionalInt.empty(), "", "", 6),
                new Fact.DriversForgotten(List.of(ID)),
                new Fact.RequestsForgotten(List.of(ID, ID)),
                new Fact.ExecutorIdsReserved(new ApplicationId("app-1"), 256),
                new Fact.ApplicationsClosed(List.of(new ApplicationId("app-1"))));
    }

    @ParameterizedTest
    @MethodSource("facts")
    void keepsEveryComponent(Fact fact) {
        assertEquals(fact, form.read(form.bytes(fact)));
    }

    @Test
    void hasANumberForEachFact() {
        assertEquals(
                Arrays.stream(Fact.class.getPermittedSubclasses())
                        .filter(Class::isRecord)
                        .count(),
                facts().map(fact -> form.bytes(fact).toArray()[0]).distinct().count());
    }

    @Test
    void readsFactsOfOlderReleasesThatHaveFewerComponents() {
        byte[] left = form.bytes(new Fact.DriverLeft(ID, 1, 2, 3, "lost", "")).toArray();
        byte[] older = Arrays.copyOf(left, left.length - Integer.BYTES); // without the length of the last text
        older[1]--; // number of components
        assertEquals(new Fact.DriverLeft(ID, 1, 2, 3, "lost", ""), form.read(Bytes.owning(older)));
    }

    @Test
    void refusesFactsOfNewerReleases() {
        byte[] unknown = {99, 0};
        byte[] more = form.bytes(new Fact.NumbersUsed(1, 2, 3)).toArray();
        more[1]++;
        for (byte[] newer : List.of(unknown, more, new byte[0])) {
            HearthException refused = assertThrows(HearthException.class, () -> form.read(Bytes.owning(newer)));
            assertEquals("FILE_DAMAGED", refused.code());
            assertTrue(refused.getMessage().contains("start the release that wrote it"), refused::getMessage);
        }
    }
}
