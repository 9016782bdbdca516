package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.task.ResourceInformation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Addresses of one worker and their holders. */
class AddressLedgerTest {
    private final AddressLedger ledger =
            new AddressLedger(List.of(new ResourceInformation("gpu", List.of("0", "1", "2"))));

    @Test
    void givesEachAddressToOneHolder() {
        assertEquals(List.of(new ResourceInformation("gpu", List.of("0", "1"))), ledger.take("a", Map.of("gpu", 2)));
        assertFalse(ledger.fits(Map.of("gpu", 1), 2));
        assertEquals(List.of(new ResourceInformation("gpu", List.of("2"))), ledger.take("b", Map.of("gpu", 1)));
        assertThrows(IllegalStateException.class, () -> ledger.take("c", Map.of("gpu", 1)));
        assertEquals(0, ledger.free("gpu"));
        ledger.giveBack("a");
        ledger.giveBack("a"); // a second report has no effect
        ledger.giveBack("nobody");
        assertEquals(2, ledger.free("gpu"));
        assertEquals(List.of(new ResourceInformation("gpu", List.of("0", "1"))), ledger.take("c", Map.of("gpu", 2)));
    }

    @Test
    void fitsWhatNeedsNothing() {
        assertTrue(ledger.fits(Map.of(), 1_000_000));
        assertFalse(ledger.fits(Map.of("fpga", 1), 1));
        assertEquals(List.of(), ledger.take("a", Map.of()));
    }
}
