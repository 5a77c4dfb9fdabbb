import java.io.File;
import weka.classifiers.Classifier;
import weka.classifiers.trees.Id3;
import weka.classifiers.trees.J48;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.converters.ArffLoader;

/**
  * Weka reads two ARFF files with the same rows and learns from them: Id3 from nominal attributes, J48 from
  * numeric ones.
 *
 * <p>java -cp weka.jar WekaTrees.java NOMINAL.arff NUMERIC.arff ROWS
 */
public class WekaTrees {
  public static void main(String[] arguments) throws Exception {
    int rows = Integer.parseInt(arguments[2]);
    Instances nominal = read(arguments[0], rows);
    for (int at = 0; at < nominal.numAttributes(); at++) {
      check(nominal.attribute(at).isNominal(), nominal.attribute(at).name() + " is not nominal");
    }
    Instances numeric = read(arguments[1], rows);
    check(numeric.attribute("KRank").isNumeric(), "KRank is not numeric");
    check(numeric.attribute("KFile").isNominal(), "KFile is not nominal");

    double id3 = accuracy(new Id3(), nominal);
    check(id3 == 1.0, "Id3 is right on " + id3 + " of its own data");
    J48 unpruned = new J48();
    unpruned.setUnpruned(true);
    unpruned.setMinNumObj(1);
    double j48 = accuracy(unpruned, numeric);
    check(j48 > 0.99, "J48 is right on " + j48 + " of its own data");
    System.out.printf("weka: Id3 is right on 100 %% of its %,d rows, J48 on %.2f %%%n", rows, 100 * j48);
  }

  private static Instances read(String path, int rows) throws Exception {
    ArffLoader loader = new ArffLoader();
    loader.setSource(new File(path));
    Instances data = loader.getDataSet();
    data.setClassIndex(data.numAttributes() - 1);
    check(data.numInstances() == rows, path + " has " + data.numInstances() + " rows for Weka");
    check(data.classAttribute().name().equals("optimalDepth"), "the class is not the last attribute");
    check(data.numClasses() == 18, "there are " + data.numClasses() + " classes, not 18");
    return data;
  }

  private static double accuracy(Classifier learner, Instances data) throws Exception {
    learner.buildClassifier(data);
    int right = 0;
    for (int at = 0; at < data.numInstances(); at++) {
      Instance row = data.instance(at);
      if (learner.classifyInstance(row) == row.classValue()) {
        right++;
      }
    }
    return (double) right / data.numInstances();
  }

  private static void check(boolean isRight, String sentence) {
    if (!isRight) {
      System.err.println("weka: " + sentence);
      System.exit(1);
    }
  }
}
