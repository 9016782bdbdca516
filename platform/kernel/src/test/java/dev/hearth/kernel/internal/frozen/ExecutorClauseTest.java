package dev.hearth.kernel.internal.frozen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutorClauseTest {
    @Test
    void readsWhatExecutorsDo() {
        assertEquals(ExecutorClause.Kind.START, ExecutorClause.parse("true").kind());
        assertEquals(ExecutorClause.Kind.ABSENT, ExecutorClause.parse("false").kind());
        ExecutorClause reserve = ExecutorClause.parse("reserve;when=\"scheme:far  hearth.far.*\"");
        assertEquals(ExecutorClause.Kind.RESERVE, reserve.kind());
        assertEquals(List.of("scheme:far", "hearth.far.*"), reserve.triggers());
    }

    @ParameterizedTest
    @ValueSource(strings = {"reserve", "true;when=x", "maybe", "true,false", "reserve;when=x;needs=y", ""})
    void refusesWhatItDoesNotKnow(String header) {
        String message = assertThrows(IllegalArgumentException.class, () -> ExecutorClause.parse(header))
                .getMessage();
        assertTrue(message.startsWith("Hearth-Executor: '") && message.contains("(expected: "), message);
    }
}
