package dev.hearth.engine.internal.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.task.ResourceInformation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Addresses of one executor, taken by tasks and given back. */
class AddressPoolTest {
    private static final Map<String, ResourceInformation> TWO =
            Map.of("gpu", new ResourceInformation("gpu", List.of("a", "b")));

    @Test
    void givesEachTaskAnAddressOfItsOwn() {
        AddressPool pool = pool(1);
        AddressPool.Lease first = pool.take();
        AddressPool.Lease second = pool.take();
        assertEquals(List.of("a"), addresses(first));
        assertEquals(List.of("b"), addresses(second));
        assertThrows(IllegalStateException.class, pool::take);
        pool.giveBack(first);
        assertEquals(List.of("a"), addresses(pool.take()));
    }

    @Test
    void sharesTheLeastUsedAddress() {
        AddressPool pool = pool(0.5);
        AddressPool.Lease first = pool.take();
        assertEquals(List.of("a"), addresses(first));
        assertEquals(List.of("b"), addresses(pool.take()));
        assertEquals(List.of("a"), addresses(pool.take()));
        pool.giveBack(first);
        assertEquals(List.of("a"), addresses(pool.take()));
        assertEquals(List.of("b"), addresses(pool.take()));
        assertThrows(IllegalStateException.class, pool::take);
    }

    @Test
    void givesSeveralAddressesToOneTask() {
        assertEquals(List.of("a", "b"), addresses(pool(2).take()));
    }

    @Test
    void refusesASecondReturn() {
        AddressPool pool = pool(1);
        AddressPool.Lease lease = pool.take();
        pool.giveBack(lease);
        assertThrows(IllegalStateException.class, () -> pool.giveBack(lease));
    }

    private static AddressPool pool(double amount) {
        return new AddressPool(new TaskNeeds(1, Map.of("gpu", amount)), TWO);
    }

    private static List<String> addresses(AddressPool.Lease lease) {
        return lease.resources().values().iterator().next().addresses();
    }
}
