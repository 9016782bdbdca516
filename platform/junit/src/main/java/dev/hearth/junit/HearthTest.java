package dev.hearth.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Injects a {@link dev.hearth.api.HearthContext} into the tests of a class, or one test method: as a parameter of
 * constructors, test and lifecycle methods. An annotation on a method overrides that of the class. Nested classes use
 * that of the enclosing class unless they have one themselves.
 * <pre>{@code
 * @HearthTest(master = "local[4]", settings = "hearth.default.parallelism=8")
 * class WordsTest {
 *     @Test
 *     void counts(HearthContext context) {
 *         assertEquals(2, context.parallelize(List.of("to", "be")).count());
 *     }
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(HearthExtension.class)
public @interface HearthTest {
    /** A local master. */
    String master() default HearthExtension.MASTER;

    /** Settings as {@code key=value}, which rank above system properties. */
    String[] settings() default {};

    ContextPer per() default ContextPer.CLASS;
}
