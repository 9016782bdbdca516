package dev.hearth.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Injects a {@link dev.hearth.api.HearthContext} as a parameter into the constructors, test methods and lifecycle
 * methods of a class, or into one test method. An annotation on a method overrides the annotation of the class. A
 * nested class without an annotation uses the context of the enclosing class.
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
    /** The master URL of the context; it must be a local one, such as {@code local[4]}. */
    String master() default HearthExtension.MASTER;

    /** Settings of the context, each as {@code key=value}; they override system properties. */
    String[] settings() default {};

    ContextPer per() default ContextPer.CLASS;
}
