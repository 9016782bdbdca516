package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.boot.OrdersChoice.Kind;
import dev.hearth.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The source of launch orders by flag, system property and environment variable. */
class OrdersChoiceTest {
    private static final Role EXECUTOR = role("executor", true);

    @Test
    void isStandardInputForAChildWhateverItsEnvironmentSays() {
        OrdersChoice choice = OrdersChoice.of(EXECUTOR, true, List.of("a"), Optional.of("/x"), Optional.of("/y"));
        assertEquals(new OrdersChoice(Kind.PARENT, "", List.of("a")), choice);
        assertFalse(choice.isWithoutParent());
    }

    @Test
    void isNoneForARoleThatTakesNoOrders() {
        OrdersChoice choice = OrdersChoice.of(
                role("serve", false), false, List.of("--orders", "x"), Optional.empty(), Optional.of("/y"));
        assertEquals(new OrdersChoice(Kind.NONE, "", List.of("--orders", "x")), choice);
    }

    @Test
    void followsTheFlagThenThePropertyThenTheVariable() {
        assertEquals(
                new OrdersChoice(Kind.FILE, "/flag", List.of("--conf", "a=b")),
                of(List.of("--conf", "a=b", "--orders", "/flag"), "/property", "/variable"));
        assertEquals(
                "/flag", of(List.of("--orders=/flag"), "/property", "/variable").name());
        assertEquals("/property", of(List.of(), "/property", "/variable").name());
        assertEquals("/variable", of(List.of(), "", "/variable").name());
        assertTrue(of(List.of(), "", "/variable").isWithoutParent());
        assertEquals(new OrdersChoice(Kind.SERVICE, "", List.of()), of(List.of(), "service", ""));
        assertEquals(new OrdersChoice(Kind.SERVICE, "yarn", List.of()), of(List.of(), "", "service:yarn"));
    }

    @Test
    void isNamedByTheUserOrRefused() {
        HearthException none = assertThrows(HearthException.class, () -> of(List.of(), "", ""));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), none.code());
        assertTrue(String.valueOf(none.getMessage()).startsWith("role executor: no launch orders (expected: --orders"));
        assertThrows(HearthException.class, () -> of(List.of("--orders"), "", ""));
        assertThrows(HearthException.class, () -> of(List.of("--orders="), "", "/y"));
    }

    private static OrdersChoice of(List<String> arguments, String property, String variable) {
        return OrdersChoice.of(
                EXECUTOR,
                false,
                arguments,
                Optional.of(property).filter(text -> !text.isEmpty()),
                Optional.of(variable));
    }

    private static Role role(String name, boolean orders) {
        return new Role(name, List.of("scr"), List.of(), List.of(), false, false, orders);
    }
}
