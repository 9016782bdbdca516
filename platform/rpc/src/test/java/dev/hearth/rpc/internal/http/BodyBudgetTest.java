package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BodyBudgetTest {
    @Test
    void takesNothingForWhatItRefuses() {
        BodyBudget budget = new BodyBudget(10);
        assertTrue(budget.reserve(8));
        assertFalse(budget.reserve(3));
        assertEquals(8, budget.bytes());
        assertTrue(budget.reserve(2));
        budget.release(10);
        assertEquals(0, budget.bytes());
    }
}
