package dev.hearth.kernel.internal.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BundleUsageTest {
    private final AtomicInteger idle = new AtomicInteger();
    private final BundleUsage use = new BundleUsage(idle::incrementAndGet);

    @Test
    void countsHoldersByNameAndTellsWhenTheLastOfAHiddenBundleLetsGo() {
        BundleUsage.Hold one = use.take("call of Greeter").orElseThrow();
        BundleUsage.Hold two = use.take("call of Greeter").orElseThrow();
        BundleUsage.Hold three = use.take("application pi").orElseThrow();
        assertEquals(List.of("application pi", "call of Greeter (2 times)"), use.holders());
        one.close();
        one.close();
        assertEquals(List.of("application pi", "call of Greeter"), use.holders());
        use.hide();
        two.close();
        assertEquals(0, idle.get());
        three.close();
        assertEquals(1, idle.get());
        assertEquals(List.of(), use.holders());
    }

    @Test
    void sealsOnlyWhatNobodyHoldsAndGivesNothingAfterwards() {
        BundleUsage.Hold hold = use.take("application pi").orElseThrow();
        assertFalse(use.seal());
        assertTrue(use.take("another").isPresent(), "not sealed, so still to be had");
        assertTrue(use.sealByForce());
        assertTrue(use.take("late").isEmpty());
        assertTrue(use.isHidden());
        hold.close();
        assertTrue(use.seal());
    }

    @Test
    void neverSealsWhatLivesAsLongAsTheProcess() {
        assertTrue(use.takeForGood("role master").isPresent());
        assertFalse(use.seal());
        assertFalse(use.sealByForce());
        assertTrue(use.isResident());
        assertEquals(List.of("role master"), use.holders());
    }
}
