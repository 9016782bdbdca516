package dev.hearth.engine.internal.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.TaskInput;
import org.junit.jupiter.api.Test;

class ParallelizedElementsTest {
    private final UserObjectSerializer objects =
            new UserObjectSerializer(ParallelizedElementsTest.class.getClassLoader());

    @Test
    void slicesShareOrCopyTheirElements() {
        Integer[] numbers = {1000, 2000, 3000, 4000, 5000};
        ParallelizedElements shared = ParallelizedElements.cut(numbers, 2, objects);
        assertSame(numbers[0], ((TaskInput.Shared) shared.input(0)).elements()[0]);
        assertEquals(3, ((TaskInput.Shared) shared.input(1)).elements().length);
        ParallelizedElements few = ParallelizedElements.cut(numbers, 7, objects);
        int total = 0;
        for (int i = 0; i < 7; i++) {
            total += ((TaskInput.Shared) few.input(i)).elements().length;
        }
        assertEquals(5, total);
        int[] changing = {1};
        ParallelizedElements copied = ParallelizedElements.cut(new Object[] {changing, "x"}, 2, objects);
        changing[0] = 2;
        Object[] read = (Object[]) objects.read(((TaskInput.Encoded) copied.input(0)).bytes(), "slice");
        assertEquals(1, ((int[]) read[0])[0], "as it was when it was cut");
        TaskInput travelling = ParallelizedElements.write(numbers, 2, objects).input(1);
        assertArrayEquals(
                new Object[] {3000, 4000, 5000},
                (Object[]) objects.read(((TaskInput.Encoded) travelling).bytes(), "slice"),
                "written at once, though it cannot change");
    }
}
