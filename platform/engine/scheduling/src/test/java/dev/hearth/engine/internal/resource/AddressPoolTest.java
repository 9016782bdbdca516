package dev.hearth.engine.internal.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.task.ResourceInformation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses of one executor, taken by tasks and given back. */
class AddressPoolTest {
    private static final Map<String, ResourceInformation> TWO =
            Map.of("gpu", new ResourceInformation("gpu", List.of("a", "b")));

    @Test
    void givesEachTaskAnAddressOfItsOwn() {
        AddressPool pool = new AddressPool(TWO);
        TaskNeeds needs = needs(1);
        AddressPool.Lease first = pool.take(needs);
        AddressPool.Lease second = pool.take(needs);
        assertEquals(List.of("a"), addresses(first));
        assertEquals(List.of("b"), addresses(second));
        assertThrows(IllegalStateException.class, () -> pool.take(needs));
        pool.giveBack(first);
        assertEquals(List.of("a"), addresses(pool.take(needs)));
    }

    @Test
    void sharesTheLeastUsedAddress() {
        AddressPool pool = new AddressPool(TWO);
        TaskNeeds needs = needs(0.5);
        AddressPool.Lease first = pool.take(needs);
        assertEquals(List.of("a"), addresses(first));
        assertEquals(List.of("b"), addresses(pool.take(needs)));
        assertEquals(List.of("a"), addresses(pool.take(needs)));
        pool.giveBack(first);
        assertEquals(List.of("a"), addresses(pool.take(needs)));
        assertEquals(List.of("b"), addresses(pool.take(needs)));
        assertThrows(IllegalStateException.class, () -> pool.take(needs));
    }

    @Test
    void givesSeveralAddressesToOneTask() {
        assertEquals(List.of("a", "b"), addresses(new AddressPool(TWO).take(needs(2))));
    }

    @Test
    void refusesASecondReturn() {
        AddressPool pool = new AddressPool(TWO);
        TaskNeeds needs = needs(1);
        AddressPool.Lease lease = pool.take(needs);
        pool.giveBack(lease);
        assertThrows(IllegalStateException.class, () -> pool.giveBack(lease));
    }

    /** Tasks of different profiles share an address exactly: 0.3, 0.3 and 0.4 are the whole of it. */
    @Test
    void sharesAnAddressAmongTasksOfDifferentNeeds() {
        AddressPool pool = new AddressPool(Map.of("gpu", new ResourceInformation("gpu", List.of("a"))));
        assertEquals(3, pool.room(needs(0.3)));
        pool.take(needs(0.3));
        pool.take(needs(0.3));
        assertEquals(0, pool.room(needs(1)));
        assertEquals(1, pool.room(needs(0.4)));
        AddressPool.Lease last = pool.take(needs(0.4));
        assertEquals(0, pool.room(needs(0.1)));
        pool.giveBack(last);
        assertEquals(4, pool.room(needs(0.1)));
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "3, 0", "0.5, 4", "0.1, 20", "0.14285714285714285, 14", "0.3, 6", "0.000001, 2000000"})
    void countsHowManyTasksFit(double amount, int tasks) {
        assertEquals(tasks, new AddressPool(TWO).room(needs(amount)));
        assertEquals(0, new AddressPool(Map.of()).room(needs(amount)));
    }

    private static TaskNeeds needs(double amount) {
        return new TaskNeeds(1, Map.of("gpu", amount));
    }

    private static List<String> addresses(AddressPool.Lease lease) {
        return lease.resources().values().iterator().next().addresses();
    }
}
